function walk(node) {
  visit(node);
  node.children.forEach(walk);
}
