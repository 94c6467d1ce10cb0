Sub Main()
    Print "hello"
    Print "bye"
End Sub
