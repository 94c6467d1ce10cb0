def word(hour):
    if not 0 <= hour < 24:
        raise ValueError(f"there is no hour {hour}")
    return "good morning" if hour < 12 else "good day"
