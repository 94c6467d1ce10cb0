ROUTES = [
    route("/", home),
    route("/about/", about),
]
