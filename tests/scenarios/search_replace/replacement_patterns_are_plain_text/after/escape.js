function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + "$'" + '$1\1';
}
