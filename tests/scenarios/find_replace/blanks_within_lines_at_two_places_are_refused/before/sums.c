void f(void)
{
    total = add( total,1 );
}

void g(void)
{
    total = add( total,1 );
}
