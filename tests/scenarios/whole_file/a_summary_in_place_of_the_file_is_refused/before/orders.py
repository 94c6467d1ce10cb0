def rule_0(order):
    return order.total > 0

def rule_1(order):
    return order.total > 1

def rule_2(order):
    return order.total > 2

def rule_3(order):
    return order.total > 3

def rule_4(order):
    return order.total > 4

def rule_5(order):
    return order.total > 5

def rule_6(order):
    return order.total > 6

def rule_7(order):
    return order.total > 7

def rule_8(order):
    return order.total > 8

def rule_9(order):
    return order.total > 9

def rule_10(order):
    return order.total > 10

def rule_11(order):
    return order.total > 11

def rule_12(order):
    return order.total > 12

def rule_13(order):
    return order.total > 13

def rule_14(order):
    return order.total > 14

def rule_15(order):
    return order.total > 15

def rule_16(order):
    return order.total > 16

def rule_17(order):
    return order.total > 17

def rule_18(order):
    return order.total > 18

def rule_19(order):
    return order.total > 19

def rule_20(order):
    return order.total > 20

def rule_21(order):
    return order.total > 21

def rule_22(order):
    return order.total > 22

def rule_23(order):
    return order.total > 23

def rule_24(order):
    return order.total > 24

def rule_25(order):
    return order.total > 25

def rule_26(order):
    return order.total > 26

def rule_27(order):
    return order.total > 27

def rule_28(order):
    return order.total > 28

def rule_29(order):
    return order.total > 29

def rule_30(order):
    return order.total > 30

def rule_31(order):
    return order.total > 31

def rule_32(order):
    return order.total > 32

def rule_33(order):
    return order.total > 33

def rule_34(order):
    return order.total > 34

def rule_35(order):
    return order.total > 35

def rule_36(order):
    return order.total > 36

def rule_37(order):
    return order.total > 37

def rule_38(order):
    return order.total > 38

def rule_39(order):
    return order.total > 39

