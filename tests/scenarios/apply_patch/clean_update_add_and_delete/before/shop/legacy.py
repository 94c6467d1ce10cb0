# nothing is left here
