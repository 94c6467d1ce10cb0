<?php

$dsn = getenv('SHOP_DSN') ?: 'sqlite:shop.db';
$db = new PDO($dsn);
$db->exec(file_get_contents('schema.sql'));
