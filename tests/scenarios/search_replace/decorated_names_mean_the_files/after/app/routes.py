PREFIX = '/api'
