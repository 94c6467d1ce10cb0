Sub Main()
    Print "hello"
End Sub
