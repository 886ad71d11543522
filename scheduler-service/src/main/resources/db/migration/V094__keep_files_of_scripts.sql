-- Texts of the files that belong to versions of scripts, each kept once however many versions have it.
create table file_content (
    -- SHA-256 of the text, in lower-case hex
    hash text primary key,
    content text not null,
    used_at timestamptz not null default now()
);

-- The files that a version of a script has besides its own. They never change, as the hash of the version covers them.
create table script_file (
    script_hash text not null references script (hash) on delete cascade,
    path text not null,
    content_hash text not null references file_content (hash),
    primary key (script_hash, path)
);

-- For the sweep of texts that no version has any more.
create index script_file_content on script_file (content_hash);
