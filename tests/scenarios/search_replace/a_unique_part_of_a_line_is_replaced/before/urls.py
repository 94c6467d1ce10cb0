ROUTES = [
    route("/", home), route("/basket/", basket),
    route("/about/", about),
]
