client = connect(host, port, timeout=60)
client.login(user, password)
