package area

func Area(w, h int) int {
	if w < 0 {
		return 0
	}
	return w * h
}
