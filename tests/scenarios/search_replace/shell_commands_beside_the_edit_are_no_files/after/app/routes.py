PREFIX = '/'
