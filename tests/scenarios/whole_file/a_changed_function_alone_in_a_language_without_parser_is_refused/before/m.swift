import Foundation

func f0(_ x: Int) -> Int {
    return x + 0
}

func f1(_ x: Int) -> Int {
    return x + 1
}

func f2(_ x: Int) -> Int {
    return x + 2
}

func f3(_ x: Int) -> Int {
    return x + 3
}

func f4(_ x: Int) -> Int {
    return x + 4
}

func f5(_ x: Int) -> Int {
    return x + 5
}

func f6(_ x: Int) -> Int {
    return x + 6
}

func f7(_ x: Int) -> Int {
    return x + 7
}

func f8(_ x: Int) -> Int {
    return x + 8
}

func f9(_ x: Int) -> Int {
    return x + 9
}

func f10(_ x: Int) -> Int {
    return x + 10
}

func f11(_ x: Int) -> Int {
    return x + 11
}

