function walk(tree, visit) {
  if (!tree) {
    return;
  }
  visit(tree.value);
  for (const child of tree.children) {
    if (child !== tree) {
      walk(child, visit);
    }
  }
}
