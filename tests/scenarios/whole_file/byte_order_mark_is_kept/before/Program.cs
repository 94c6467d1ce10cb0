using System;

class Program
{
}
