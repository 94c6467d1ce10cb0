def restock(warehouse, article, amount):
    shelf = warehouse.shelf_for(article)
    shelf.lock()
    shelf.add(amount, counted=True)
    shelf.unlock()
    warehouse.log(article, amount)
    return shelf
