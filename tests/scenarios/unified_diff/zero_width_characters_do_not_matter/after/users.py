ADMINS = {"ann​"}
GUESTS = {"bob", "cid"}
LIMIT = 3
