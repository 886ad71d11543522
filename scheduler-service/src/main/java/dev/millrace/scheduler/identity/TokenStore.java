package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Tokens in Postgres: their hashes, and what they stand for. All times are those of the database's clock. */
final class TokenStore {
    /** Least time between two notes of the last use, so that uses cost few writes. */
    private static final Duration USE_NOTE_INTERVAL = Duration.ofMinutes(1);

    /** Maximum number of tokens of a principal that have not ended. */
    static final int TOKENS_MAX = 10_000;

    private static final String INSERT = """
            insert into credential (id, hash, kind, name, principal_id, workspaces, folders, tags, role_max, submits_per_second_max, created_by, issued_by, expires_at, idle_millis)
            select ?, ?, ?, ?, ?::uuid, ?::text[], ?::text[], ?::text[], ?, ?, ?, ?::uuid, now() + ?::bigint * interval '1 millisecond', ?::bigint
            where (select count(*) from credential where principal_id = ?::uuid and (ended_at is null or ended_at > now())) < ?
            """;
    private static final String SELECT = """
            select c.id, c.kind, c.name, c.workspaces, c.folders, c.tags, c.role_max, c.submits_per_second_max, c.created_by, c.issued_by, c.created_at, c.expires_at,
                c.idle_millis, c.last_used_at, c.revoked_at, now() as read_at,
                p.id as principal_id, p.kind as principal_kind, p.workspace as principal_workspace, p.name as principal_name,
                p.groups as principal_groups, p.may_act_as as principal_may_act_as, p.created_at as principal_created_at,
                p.disabled_at as principal_disabled_at
            from credential c left join principal p on p.id = c.principal_id
            """;
    private static final String FIND = SELECT + "where c.hash = ?";
    private static final String FIND_BY_ID = SELECT + "where c.id = ?";
    private static final String KEPT = " and c.id < ?::uuid order by c.id desc limit ?";
    private static final String OF_PRINCIPAL = SELECT + "where c.principal_id = ?" + KEPT;
    private static final String OF_WORKSPACE =
            SELECT + "where (p.workspace = ? or (c.kind = 'worker' and c.workspaces = array[?]::text[]))" + KEPT;
    private static final String ALL = SELECT + "where true" + KEPT;
    private static final String BEGINNINGS = """
            select coalesce(string_agg(beginning, ''::bytea), ''::bytea) from (
                select substring(hash, 1, ?::int) as beginning from credential where ended_at is null or ended_at > now()
                order by last_used_at desc nulls last limit ?
            ) known
            """;
    private static final String FIND_LIKE = """
            select id from credential
            where principal_id = ?::uuid and name = ? and ended_at is null and workspaces = ?::text[] and folders = ?::text[] and tags = ?::text[]
                and role_max is not distinct from ? and submits_per_second_max = ?
            order by id limit 1
            """;
    private static final String NOTE_USE = """
            update credential set last_used_at = now()
            where id = ? and (last_used_at is null or last_used_at < now() - ? * interval '1 millisecond')
            """;
    private static final String REVOKE = "update credential set revoked_at = coalesce(revoked_at, now()) where id = ?";
    /** Those that were issued by issued ones, too. An ended token in between does not save those that it has issued. */
    private static final String REVOKE_ISSUED = """
            with recursive issued(id, principal_id) as (
                select i.id, i.principal_id from credential i where i.issued_by = ?::uuid
                union
                select i.id, i.principal_id from credential i join issued by on i.issued_by = by.id
            )
            update credential set revoked_at = now()
            where id in (select id from issued where ?::boolean or principal_id = ?::uuid) and (ended_at is null or ended_at > now())
            """;

    private final Database database;

    TokenStore(Database database) {
        this.database = database;
    }

    /**
     * A token to store.
     *
     * @param validFor time until the token expires; absent for never
     */
    record NewToken(
            UUID id,
            TokenKind kind,
            String name,
            Optional<UUID> principal,
            Token.Restrictions restrictions,
            String createdBy,
            Optional<UUID> issuedBy,
            Optional<Duration> validFor,
            Optional<Duration> idleMax) {}

    /** Stores a token. Returns false if its principal has too many. */
    boolean insert(NewToken token, TokenHash hash) {
        return database.run(dsl -> insert(dsl, token, hash)) > 0;
    }

    /** The oldest token of the principal that never expires and has this name and these restrictions. */
    Optional<UUID> findLike(UUID principal, String name, Token.Restrictions cut) {
        return database.run(dsl -> dsl
                .fetch(
                        FIND_LIKE,
                        principal,
                        name,
                        array(cut.workspaces()),
                        array(cut.folders()),
                        array(cut.tags()),
                        cut.roleMax().map(Role::text).orElse(null),
                        cut.submitsPerSecondMax())
                .getValues(0, UUID.class)
                .stream()
                .findFirst());
    }

    static int insert(DSLContext dsl, NewToken token, TokenHash hash) {
        Token.Restrictions cut = token.restrictions();
        return dsl.execute(
                INSERT,
                token.id(),
                hash.bytes(),
                token.kind().text(),
                token.name(),
                token.principal().orElse(null),
                array(cut.workspaces()),
                array(cut.folders()),
                array(cut.tags()),
                cut.roleMax().map(Role::text).orElse(null),
                cut.submitsPerSecondMax(),
                token.createdBy(),
                token.issuedBy().orElse(null),
                token.validFor().map(Duration::toMillis).orElse(null),
                token.idleMax().map(Duration::toMillis).orElse(null),
                token.principal().orElse(null),
                TOKENS_MAX);
    }

    /**
     * The beginnings of the hashes of tokens that have not ended, one after another: at most so many, the last used
     * ones.
     */
    byte[] beginnings(int tokensMax) {
        return database.run(dsl -> dsl.fetchSingle(BEGINNINGS, TokenHash.BEGINNING_BYTES, tokensMax)
                .get(0, byte[].class));
    }

    /** The token with this hash, if it works. */
    Optional<Token> findValid(TokenHash hash) {
        return database.run(dsl -> working(dsl.fetch(FIND, (Object) hash.bytes())));
    }

    /** The token with this id, if it works. */
    Optional<Token> findWorking(UUID id) {
        return database.run(dsl -> working(dsl.fetch(FIND_BY_ID, id)));
    }

    private static Optional<Token> working(List<? extends Record> rows) {
        return rows.stream()
                .findFirst()
                .flatMap(row -> Optional.of(read(row))
                        .filter(token -> token.isValidAt(time(row, "read_at").orElseThrow())));
    }

    Optional<Token> find(UUID id) {
        return database.run(
                dsl -> dsl.fetch(FIND_BY_ID, id).stream().map(TokenStore::read).findFirst());
    }

    /** Tokens of a principal, newest first. */
    List<Token> ofPrincipal(UUID principal, UUID before, int limit) {
        return list(OF_PRINCIPAL, principal, before, limit);
    }

    /** Tokens of the service accounts and workers of a workspace, newest first. */
    List<Token> ofWorkspace(Workspace workspace, UUID before, int limit) {
        return list(OF_WORKSPACE, workspace.name(), workspace.name(), before, limit);
    }

    /** All tokens, newest first. */
    List<Token> all(UUID before, int limit) {
        return list(ALL, before, limit);
    }

    /** Notes that the token is in use, unless that was noted a short time ago. */
    void noteUse(Token token) {
        boolean isNoted = token.lastUsedAt()
                .filter(time -> time.plus(USE_NOTE_INTERVAL).isAfter(Instant.now()))
                .isPresent();
        if (!isNoted) {
            database.run(dsl -> dsl.execute(NOTE_USE, token.id(), USE_NOTE_INTERVAL.toMillis()));
        }
    }

    /** Revokes a token. Returns how many tokens that were issued by it were revoked with it. */
    int revoke(Token token, WithIssued issued) {
        return database.transaction(dsl -> {
            dsl.execute(REVOKE, token.id());
            return switch (issued) {
                case NONE -> 0;
                case OF_SAME_PRINCIPAL, ALL ->
                    dsl.execute(
                            REVOKE_ISSUED,
                            token.id(),
                            issued == WithIssued.ALL,
                            token.principal().map(Principal::id).orElse(null));
            };
        });
    }

    private List<Token> list(String query, Object... values) {
        return database.run(dsl -> dsl.fetch(query, values).map(TokenStore::read));
    }

    private static String[] array(List<String> texts) {
        return texts.toArray(String[]::new);
    }

    private static Token read(Record row) {
        return new Token(
                row.get("id", UUID.class),
                TokenKind.of(row.get("kind", String.class)),
                row.get("name", String.class),
                principal(row),
                new Token.Restrictions(
                        texts(row, "workspaces"),
                        texts(row, "folders"),
                        texts(row, "tags"),
                        Optional.ofNullable(row.get("role_max", String.class)).flatMap(Role::of),
                        row.get("submits_per_second_max", Long.class)),
                row.get("created_by", String.class),
                Optional.ofNullable(row.get("issued_by", UUID.class)),
                time(row, "created_at").orElseThrow(),
                time(row, "expires_at"),
                Optional.ofNullable(row.get("idle_millis", Long.class)).map(Duration::ofMillis),
                time(row, "last_used_at"),
                time(row, "revoked_at"));
    }

    private static Optional<Principal> principal(Record row) {
        @Nullable UUID id = row.get("principal_id", UUID.class);
        if (id == null) {
            return Optional.empty();
        }
        return Optional.of(new Principal(
                id,
                PrincipalStore.kind(row.get("principal_kind", String.class)),
                PrincipalStore.workspace(row.get("principal_workspace", String.class)),
                row.get("principal_name", String.class),
                texts(row, "principal_groups"),
                row.get("principal_may_act_as", Boolean.class),
                time(row, "principal_created_at").orElseThrow(),
                time(row, "principal_disabled_at")));
    }

    private static List<String> texts(Record row, String column) {
        return List.of(row.get(column, String[].class));
    }

    private static Optional<Instant> time(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
