package pool

func (p *Pool) Take() *Conn {
	if len(p.idle) > 0 {
		c := p.idle[0]
		p.idle = p.idle[1:]
		return c
	}
	return p.connect()
}

func (p *Pool) Len() int {
	return len(p.idle)
}
