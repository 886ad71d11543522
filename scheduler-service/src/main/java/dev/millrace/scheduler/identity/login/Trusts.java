package dev.millrace.scheduler.identity.login;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.Principals;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import java.util.List;
import java.util.Optional;

/**
 * Creates, lists and deletes trusts. Only the owner of the installation names issuers, because the scheduler fetches
 * their keys: an admin of a workspace could make it call any address otherwise. Blocking and thread-safe.
 */
public final class Trusts {
    private static final int TRUSTS_MAX = 200;

    private final List<String> issuers;
    private final TrustStore store;
    private final Principals principals;

    /** @param issuers those in which trusts are possible */
    public Trusts(List<String> issuers, Database database, Principals principals) {
        this.issuers = List.copyOf(issuers);
        this.store = new TrustStore(database);
        this.principals = principals;
    }

    Trust create(Trust trust) {
        if (!issuers.contains(trust.issuer())) {
            throw new MillraceException(
                    ErrorCode.ISSUER_NOT_TRUSTED,
                    "The issuer " + trust.issuer() + " is none of this installation (known: "
                            + (issuers.isEmpty() ? "none" : String.join(", ", issuers))
                            + "): its owner adds it to millrace.oidc.exchange-issuers.");
        }
        principals.find(
                new Subject(Subject.Kind.SERVICE_ACCOUNT, trust.serviceAccount()), Optional.of(trust.workspace()));
        if (store.count(trust.workspace()) >= TRUSTS_MAX) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY_TRUSTS,
                    "The workspace " + trust.workspace() + " has " + TRUSTS_MAX
                            + " trusts already: delete some first.");
        }
        return store.insert(trust)
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.NAME_TAKEN,
                        "There is a trust " + trust.name() + " in workspace " + trust.workspace()
                                + " already: delete it first, or choose another name."));
    }

    PageRequest.Page<Trust> list(Workspace workspace, PageRequest page) {
        return page.of(limit -> store.list(workspace, page.after(), limit), Trust::name);
    }

    void delete(Workspace workspace, String name) {
        if (!Subject.isName(name) || !store.delete(workspace, name)) {
            throw new MillraceException(
                    ErrorCode.TRUST_NOT_FOUND, "There is no trust " + name + " in workspace " + workspace + ".");
        }
    }
}
