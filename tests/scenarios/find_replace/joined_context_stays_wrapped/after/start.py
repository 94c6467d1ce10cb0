client = connect(
    host,
    port,
    timeout=30,
)
client.login(user, token)
