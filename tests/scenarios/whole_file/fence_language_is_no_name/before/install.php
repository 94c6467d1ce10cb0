<?php

$dsn = 'sqlite:shop.db';
$db = new PDO($dsn);
$db->exec(file_get_contents('schema.sql'));
