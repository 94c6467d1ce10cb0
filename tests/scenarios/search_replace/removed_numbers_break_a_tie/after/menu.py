SEPARATOR = "-"


def file_menu(items):
    items.append(SEPARATOR)
    return items

def edit_menu(items):
    items.append(SEPARATOR)
    return sorted(items)
