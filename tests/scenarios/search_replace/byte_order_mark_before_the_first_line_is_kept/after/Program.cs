using System;
using System.IO;

class Program
{
}
