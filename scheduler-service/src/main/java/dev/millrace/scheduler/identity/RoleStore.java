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
    /** Maximum number of roles of a workspace. */
    static final int ROLES_MAX = 10_000;
    /** Maximum number of roles of one subject in a workspace, because each of its tokens keeps them in memory. */
    static final int ROLES_OF_SUBJECT_MAX = 500;

    private static final String GRANT = """
            with given as (
                select ?::text as workspace, ?::text as folder, ?::text as subject, ?::text as role, ?::text as created_by)
            insert into role_binding (workspace, folder, subject, role, created_by)
            select workspace, folder, subject, role, created_by from given
            where exists (select from role_binding b
                    where (b.workspace, b.folder, b.subject) = (given.workspace, given.folder, given.subject))
                or ((select count(*) from role_binding b where b.workspace = given.workspace) < ?
                    and (select count(*) from role_binding b
                        where b.workspace = given.workspace and b.subject = given.subject) < ?)
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

    /** Grants a role. Returns false if the workspace or the subject has too many. */
    static boolean grant(DSLContext dsl, RoleBinding binding, String by) {
        return dsl.execute(
                        GRANT,
                        text(binding.workspace()),
                        binding.folder(),
                        binding.subject().toString(),
                        binding.role().text(),
                        by,
                        ROLES_MAX,
                        ROLES_OF_SUBJECT_MAX)
                > 0;
    }

    boolean grant(RoleBinding binding, String by) {
        return database.run(dsl -> grant(dsl, binding, by));
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
