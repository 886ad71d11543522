package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Caller;
import dev.millrace.scheduler.access.CallerKind;
import dev.millrace.scheduler.access.Rights;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what tokens give from the database: who calls with them, and with which rights. */
final class TokenReader {
    private static final Logger log = LoggerFactory.getLogger(TokenReader.class);

    private final TokenStore tokens;
    private final RoleStore roles;

    TokenReader(Database database) {
        this.tokens = new TokenStore(database);
        this.roles = new RoleStore(database);
    }

    /** What a token gives; empty if it does not work. Notes that it is used. Blocking. */
    Optional<Access> read(TokenHash hash) {
        Optional<Token> found = tokens.findValid(hash);
        found.ifPresent(this::noteUse);
        return found.map(this::access);
    }

    /** What the token with this id gives now; empty if it does not work any more. Blocking. */
    Optional<Access> read(UUID id) {
        return tokens.findWorking(id).map(this::access);
    }

    private void noteUse(Token token) {
        try {
            tokens.noteUse(token);
        } catch (RuntimeException failure) {
            log.atWarn()
                    .addKeyValue("token", token.id())
                    .setCause(failure)
                    .log("The use of a token could not be noted");
        }
    }

    private Access access(Token token) {
        return token.principal().map(principal -> of(token, principal)).orElseGet(() -> ofProgram(token));
    }

    private Access of(Token token, Principal principal) {
        Caller caller = new Caller(
                principal.kind() == Subject.Kind.USER ? CallerKind.USER : CallerKind.SERVICE_ACCOUNT,
                principal.actorName(),
                Optional.of(principal.id()),
                Optional.of(token.id()),
                principal.mayActAs());
        return new Access(caller, rights(token, principal), WorkerScope.ALL);
    }

    private Rights rights(Token token, Principal principal) {
        List<RoleBinding> bindings = roles.of(principal);
        boolean isOwner = bindings.stream().anyMatch(binding -> binding.role() == Role.OWNER);
        return Rights.of(
                isOwner,
                bindings.stream()
                        .flatMap(binding -> binding.workspace().stream()
                                .map(workspace -> new Rights.Binding(workspace, binding.folder(), binding.role())))
                        .toList(),
                restriction(token.restrictions()));
    }

    private static Rights.Restriction restriction(Token.Restrictions restrictions) {
        return new Rights.Restriction(
                workspaces(restrictions), Set.copyOf(restrictions.folders()), restrictions.roleMax());
    }

    private static Access ofProgram(Token token) {
        boolean isWorker = token.kind() == TokenKind.WORKER;
        Caller caller = new Caller(
                isWorker ? CallerKind.WORKER : CallerKind.GATEWAY,
                token.kind().text() + ":" + token.name(),
                Optional.empty(),
                Optional.of(token.id()),
                false);
        Token.Restrictions cut = token.restrictions();
        return new Access(
                caller,
                Rights.NONE,
                new WorkerScope(
                        Optional.of(workspaces(cut)).filter(some -> !some.isEmpty()),
                        Optional.of(Set.copyOf(cut.tags())).filter(some -> !some.isEmpty())));
    }

    private static Set<Workspace> workspaces(Token.Restrictions restrictions) {
        return restrictions.workspaces().stream().map(Workspace::of).collect(Collectors.toUnmodifiableSet());
    }
}
