package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Roles of subjects in Postgres. */
final class RoleStore {
    private static final String GRANT = """
            insert into role_binding (workspace, folder, subject, role, created_by) values (?, ?, ?, ?, ?)
            on conflict (workspace, folder, subject) do update set role = excluded.role, created_by = excluded.created_by, created_at = now()
            """;
    private static final String REVOKE = """
            delete from role_binding where workspace = ? and folder = ? and subject = ? returning workspace, folder, subject, role
            """;
    private static final String LIST = """
            select workspace, folder, subject, role from role_binding
            where workspace = ? and (folder, subject) > (?, ?) order by folder, subject limit ?
            """;
    /** A service account has roles in its own workspace only, where its name is its own. */
    private static final String OF_PRINCIPAL = """
            select workspace, folder, subject, role from role_binding
            where subject = any (?) and (? = '' or workspace = ?)
            """;
    /** Serializes the changes that could leave the installation without an owner. */
    private static final String LOCK_OWNERS = "select pg_advisory_xact_lock(hashtext('millrace owners'))";
    /** A group may have members who have not logged in yet, so it counts. */
    private static final String HAS_OWNER = """
            select exists (select from role_binding b where b.workspace = '' and (b.subject like 'group:%'
                or exists (select from principal p where p.kind = 'user' and b.subject = 'user:' || p.name and p.disabled_at is null)))
            """;

    private final Database database;

    RoleStore(Database database) {
        this.database = database;
    }

    static void grant(DSLContext dsl, RoleBinding binding, String by) {
        dsl.execute(
                GRANT,
                text(binding.workspace()),
                binding.folder(),
                binding.subject().toString(),
                binding.role().text(),
                by);
    }

    void grant(RoleBinding binding, String by) {
        database.run(dsl -> {
            grant(dsl, binding, by);
            return true;
        });
    }

    /** Takes a role away; empty if there is none. */
    static Optional<RoleBinding> revoke(DSLContext dsl, Optional<Workspace> workspace, String folder, Subject subject) {
        return dsl.fetch(REVOKE, text(workspace), folder, subject.toString()).stream()
                .map(RoleStore::read)
                .findFirst();
    }

    List<RoleBinding> list(Optional<Workspace> workspace, String afterFolder, String afterSubject, int limit) {
        return database.run(dsl -> dsl.fetch(LIST, text(workspace), afterFolder, afterSubject, limit)
                .map(RoleStore::read));
    }

    /** The roles of a principal and its groups. */
    List<RoleBinding> of(Principal principal) {
        String[] subjects = Stream.concat(
                        Stream.of(principal.subject()),
                        principal.groups().stream().map(group -> new Subject(Subject.Kind.GROUP, group)))
                .map(Subject::toString)
                .toArray(String[]::new);
        String own = text(principal.workspace());
        return database.run(dsl -> dsl.fetch(OF_PRINCIPAL, subjects, own, own).map(RoleStore::read));
    }

    /** Locks the owners until the end of the transaction. */
    static void lockOwners(DSLContext dsl) {
        dsl.execute(LOCK_OWNERS);
    }

    static boolean hasOwner(DSLContext dsl) {
        return Boolean.TRUE.equals(dsl.fetchValue(HAS_OWNER));
    }

    /** The installation has none. */
    private static String text(Optional<Workspace> workspace) {
        return workspace.map(Workspace::name).orElse("");
    }

    private static RoleBinding read(Record row) {
        return new RoleBinding(
                PrincipalStore.workspace(row.get("workspace", String.class)),
                row.get("folder", String.class),
                Subject.parse(row.get("subject", String.class)),
                Role.of(row.get("role", String.class)).orElseThrow());
    }
}
