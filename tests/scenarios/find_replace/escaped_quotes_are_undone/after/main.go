package main

import "fmt"

func main() {
	fmt.Println("good morning")
	fmt.Println("bye")
}
