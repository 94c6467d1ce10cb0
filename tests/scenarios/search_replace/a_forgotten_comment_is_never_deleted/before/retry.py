def deliver(message):
    for attempt in range(3):
        # the first attempt wakes the modem
        if send(message):
            return True
    return False
