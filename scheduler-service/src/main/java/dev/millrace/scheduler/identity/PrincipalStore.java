package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Users and service accounts in Postgres. */
final class PrincipalStore {
    private static final String COLUMNS = "id, kind, workspace, name, groups, may_act_as, created_at, disabled_at";
    private static final String INSERT = "insert into principal (id, kind, workspace, name) values (?, ?, ?, ?)"
            + " on conflict do nothing returning " + COLUMNS;
    private static final String FIND =
            "select " + COLUMNS + " from principal where kind = ? and workspace = ? and name = ?";
    private static final String FIND_BY_ID = "select " + COLUMNS + " from principal where id = ?";
    private static final String LIST =
            "select " + COLUMNS + " from principal where kind = ? and workspace = ? and name > ? order by name limit ?";
    private static final String UPDATE = """
            update principal set may_act_as = coalesce(?::boolean, may_act_as), disabled_at =
                case ?::boolean when true then coalesce(disabled_at, now()) when false then null else disabled_at end
            where kind = ? and workspace = ? and name = ? returning
            """ + COLUMNS;
    private static final String FIND_OF_PROVIDER =
            "select " + COLUMNS + " from principal where issuer = ? and subject = ?";
    private static final String INSERT_OF_PROVIDER =
            "insert into principal (id, kind, name, issuer, subject, groups) values (?, 'user', ?, ?, ?, ?)"
                    + " on conflict do nothing returning " + COLUMNS;
    private static final String SET_GROUPS = "update principal set groups = ? where id = ? returning " + COLUMNS;
    private static final String ANY = "select exists (select from principal)";

    private final Database database;

    PrincipalStore(Database database) {
        this.database = database;
    }

    /** Creates a principal; empty if the name is taken. */
    static Optional<Principal> insert(DSLContext dsl, UUID id, Subject subject, Optional<Workspace> workspace) {
        return dsl.fetch(INSERT, id, text(subject.kind()), text(workspace), subject.name()).stream()
                .map(PrincipalStore::read)
                .findFirst();
    }

    Optional<Principal> insert(UUID id, Subject subject, Optional<Workspace> workspace) {
        return database.run(dsl -> insert(dsl, id, subject, workspace));
    }

    Optional<Principal> find(Subject subject, Optional<Workspace> workspace) {
        return database.run(dsl -> dsl.fetch(FIND, text(subject.kind()), text(workspace), subject.name()).stream()
                .map(PrincipalStore::read)
                .findFirst());
    }

    Optional<Principal> find(UUID id) {
        return database.run(dsl ->
                dsl.fetch(FIND_BY_ID, id).stream().map(PrincipalStore::read).findFirst());
    }

    Optional<Principal> find(ProviderUser user) {
        return database.run(dsl -> dsl.fetch(FIND_OF_PROVIDER, user.issuer(), user.subject()).stream()
                .map(PrincipalStore::read)
                .findFirst());
    }

    /** Creates a user of a provider; empty if the name or the user is there. */
    Optional<Principal> insert(UUID id, ProviderUser user) {
        return database.run(
                dsl -> dsl
                        .fetch(INSERT_OF_PROVIDER, id, user.name(), user.issuer(), user.subject(), array(user.groups()))
                        .stream()
                        .map(PrincipalStore::read)
                        .findFirst());
    }

    Principal setGroups(UUID id, List<String> groups) {
        return database.run(dsl -> read(dsl.fetchSingle(SET_GROUPS, array(groups), id)));
    }

    List<Principal> list(Subject.Kind kind, Optional<Workspace> workspace, String after, int limit) {
        return database.run(dsl ->
                dsl.fetch(LIST, text(kind), text(workspace), after, limit).map(PrincipalStore::read));
    }

    /** Changes a principal; empty if there is none. What is absent stays as it is. */
    static Optional<Principal> update(
            DSLContext dsl,
            Subject subject,
            Optional<Workspace> workspace,
            Optional<Boolean> mayActAs,
            Optional<Boolean> isDisabled) {
        return dsl
                .fetch(
                        UPDATE,
                        mayActAs.orElse(null),
                        isDisabled.orElse(null),
                        text(subject.kind()),
                        text(workspace),
                        subject.name())
                .stream()
                .map(PrincipalStore::read)
                .findFirst();
    }

    /** Whether there is any principal. */
    static boolean hasAny(DSLContext dsl) {
        return Boolean.TRUE.equals(dsl.fetchValue(ANY));
    }

    /** As one value: an array alone would stand for several. */
    private static Object array(List<String> texts) {
        return texts.toArray(String[]::new);
    }

    private static String text(Subject.Kind kind) {
        return switch (kind) {
            case USER -> "user";
            case SERVICE_ACCOUNT -> "service-account";
            case GROUP -> throw new IllegalArgumentException("a group is no principal");
        };
    }

    /** Users have none. */
    private static String text(Optional<Workspace> workspace) {
        return workspace.map(Workspace::name).orElse("");
    }

    static Optional<Workspace> workspace(String text) {
        return Optional.of(text).filter(name -> !name.isEmpty()).map(Workspace::of);
    }

    static Subject.Kind kind(String text) {
        return text.equals("user") ? Subject.Kind.USER : Subject.Kind.SERVICE_ACCOUNT;
    }

    static Principal read(Record row) {
        return new Principal(
                row.get("id", UUID.class),
                kind(row.get("kind", String.class)),
                workspace(row.get("workspace", String.class)),
                row.get("name", String.class),
                List.of(row.get("groups", String[].class)),
                row.get("may_act_as", Boolean.class),
                row.get("created_at", OffsetDateTime.class).toInstant(),
                Optional.ofNullable(row.get("disabled_at", OffsetDateTime.class))
                        .map(OffsetDateTime::toInstant));
    }
}
