package dev.millrace.scheduler.access;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.millrace.proto.access.v1.Rule;
import dev.millrace.proto.access.v1.RuleProto;
import dev.millrace.proto.access.v1.Scope;
import java.util.Optional;
import java.util.Set;

/**
 * Who may call a method, as the method's option {@code millrace.access.v1.rule} says.
 *
 * @param least lowest role that suffices; absent if no role is needed
 * @param isConfidential whether the answer holds secrets, which must not cross a network in plain text
 * @param isInArchived whether the method is also served in an archived workspace
 */
public record RpcRule(
        Optional<Role> least, Scope scope, boolean isAudited, boolean isConfidential, boolean isInArchived) {
    /** Scopes that ask for a role somewhere. */
    private static final Set<Scope> OF_ROLES = Set.of(
            Scope.SCOPE_INSTANCE,
            Scope.SCOPE_WORKSPACE,
            Scope.SCOPE_ANY_FOLDER,
            Scope.SCOPE_PATH,
            Scope.SCOPE_RUN,
            Scope.SCOPE_TARGETS);

    /** Everybody, as for the methods of health checks and reflection, which are not ours. */
    static final RpcRule PUBLIC = new RpcRule(Optional.empty(), Scope.SCOPE_PUBLIC, false, false, true);

    public RpcRule {
        requireNonNull(least, "least");
        requireNonNull(scope, "scope");
    }

    /**
     * The rule of a method.
     *
     * @throws IllegalStateException if the method has none, or one that contradicts itself
     */
    public static RpcRule of(MethodDescriptor method) {
        if (!method.getOptions().hasExtension(RuleProto.rule)) {
            throw new IllegalStateException("The method " + method.getFullName()
                    + " has no rule that says who may call it: give it the option millrace.access.v1.rule.");
        }
        Rule rule = method.getOptions().getExtension(RuleProto.rule);
        Optional<Role> least = Role.of(rule.getRole());
        if (rule.getScope() == Scope.SCOPE_UNSPECIFIED || OF_ROLES.contains(rule.getScope()) != least.isPresent()) {
            throw new IllegalStateException("The rule of the method " + method.getFullName() + " has the scope "
                    + rule.getScope() + " and the role " + rule.getRole() + ": one of them is missing or too much.");
        }
        boolean isRead = least.map(role -> role == Role.VIEWER).orElse(true);
        return new RpcRule(
                least, rule.getScope(), rule.getAudited(), rule.getConfidential(), isRead || rule.getInArchived());
    }

    /** Whether the caller need not be known. */
    boolean isOpen() {
        return scope == Scope.SCOPE_PUBLIC || scope == Scope.SCOPE_LINK;
    }

    Role role() {
        return least.orElseThrow();
    }
}
