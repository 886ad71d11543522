package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.CallSubject;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.IssuedTokens;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import java.util.UUID;

/**
 * Decides what a running job may do: what whoever started its run may do now, at most with the role developer, and only
 * in the workspace of the run. Nothing of it is remembered. Blocking and thread-safe.
 */
public final class JobRights {
    private final JobSubjectStore subjects;
    private final WorkspaceDirectory workspaces;
    private final IssuedTokens tokens;
    private final boolean trustsLocalCallers;

    /** @param trustsLocalCallers whether callers on the machine of the server need no token now */
    public JobRights(Database database, WorkspaceDirectory workspaces, boolean trustsLocalCallers) {
        this.subjects = new JobSubjectStore(database);
        this.workspaces = requireNonNull(workspaces, "workspaces");
        this.tokens = new IssuedTokens(database);
        this.trustsLocalCallers = trustsLocalCallers;
    }

    /**
     * The job of a lease. Fails with {@link ErrorCode#LEASE_LOST} if the lease is no longer held, or is for a workspace
     * that the calling worker may not serve.
     */
    JobSubject load(LeaseCredential lease) {
        return subjects.find(lease)
                .filter(job ->
                        workspaces.mayServe(job.workspace(), Access.current().worker()))
                .orElseThrow(LeaseCredential::lost);
    }

    /** What the job may do. Fails with {@link ErrorCode#PERMISSION_DENIED} if it is not known for whom it acts. */
    Access of(JobSubject job) {
        Access starter = starter(job);
        return new Access(starter.caller(), starter.rights().cut(job.workspace(), Role.DEVELOPER), starter.worker());
    }

    /** Fails unless the job of a lease may do in all folders of its workspace what its folder alone lets it do there. */
    void requireWholeWorkspace(LeaseCredential lease) {
        JobSubject job = load(lease);
        of(job).require(Role.DEVELOPER, job.workspace(), Folder.NONE);
    }

    /** Fails unless the workspace of the job accepts work. */
    void requireActive(JobSubject job, Access by) {
        workspaces.require(job.workspace(), false, by);
    }

    private Access starter(JobSubject job) {
        if (job.starter().isEmpty()) {
            if (!trustsLocalCallers) {
                throw denied(
                        job,
                        "It is not known who started run " + job.run() + ", so its jobs have no rights",
                        "with a token");
            }
            CallSubject.noteJob(job.workspace(), Access.LOCAL.name());
            return Access.LOCAL;
        }
        RunStarter known = job.starter().get();
        CallSubject.noteJob(job.workspace(), known.name());
        UUID credential = known.credential()
                .orElseThrow(() -> denied(
                        job,
                        "It was not kept with which token " + known.name() + " started run " + job.run()
                                + ", so its jobs have no rights",
                        "on its own, not in bulk"));
        return tokens.find(credential)
                .orElseThrow(() -> denied(
                        job,
                        "The token with which " + known.name() + " started run " + job.run()
                                + " was revoked or has expired, or the account is disabled, so its jobs have no rights any"
                                + " more",
                        "with a token that lasts longer than the run"));
    }

    private static MillraceException denied(JobSubject job, String why, String how) {
        return new MillraceException(
                ErrorCode.PERMISSION_DENIED,
                why + " to secrets, resources and other runs of workspace " + job.workspace() + ": start it again "
                        + how + ".");
    }
}
