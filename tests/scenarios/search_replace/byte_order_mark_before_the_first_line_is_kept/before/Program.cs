using System;

class Program
{
}
