const API = "/api/v1";

export async function load(id) {
	const reply = await fetch(`${API}/items/${id}`);
	return reply.json();
}

export async function save(item) {
	await fetch(`${API}/items`, {
		method: "POST",
		body: JSON.stringify(item),
	});
}
