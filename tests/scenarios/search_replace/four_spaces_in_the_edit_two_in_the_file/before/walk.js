function walk(tree, visit) {
  if (!tree) {
    return;
  }
  visit(tree.value);
  for (const child of tree.children) {
    walk(child, visit);
  }
}
