ADMINS = {"ann​"}
GUESTS = {"bob"}
LIMIT = 3
