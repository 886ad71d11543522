package dev.millrace.e2e.attack;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.access.v1.Rule;
import dev.millrace.proto.access.v1.Scope;
import java.util.Map;

/**
 * Somebody who calls over REST.
 *
 * @param headers what each request shows
 */
record RestCaller(String name, Standing standing, Map<String, String> headers) {
    /** The rights of a caller in the workspace of the requests. */
    sealed interface Standing {
        /** Nobody knows who calls. */
        record Unknown() implements Standing {}

        /** A worker or a gateway, which has nothing to do here. */
        record Program() implements Standing {}

        /** Somebody without a role in the workspace. */
        record Stranger() implements Standing {}

        /** Somebody with a role in another folder than that of all that the requests name. */
        record Neighbor(Role role) implements Standing {}

        /** Somebody with a role in the whole workspace; owners have it in the installation. */
        record Member(Role role) implements Standing {}
    }

    /** What has to become of a request that the gateway passes on. */
    enum Decision {
        /** Status 401. */
        UNKNOWN,
        /** Status 403 or 404. */
        REFUSED,
        /** Status 404. */
        HIDDEN,
        /** The rule allows it; the service may still refuse what the request names. */
        SERVED,
        /** Somebody with a role in the whole workspace only reads, so nothing may be refused. */
        GRANTED,
        /** The rule says nothing about this caller. */
        OPEN
    }

    /** Decides by the rule of the RPC alone. */
    Decision decision(Rule rule) {
        Scope scope = rule.getScope();
        if (scope == Scope.SCOPE_PUBLIC || scope == Scope.SCOPE_LINK) {
            return Decision.OPEN;
        }
        return switch (standing) {
            case Standing.Unknown() -> Decision.UNKNOWN;
            case Standing.Program() -> Decision.REFUSED;
            case Standing.Stranger() -> ofStranger(scope);
            case Standing.Neighbor(Role role) -> ofNeighbor(rule, role);
            case Standing.Member(Role role) -> ofMember(rule, role);
        };
    }

    /** Whether the caller may see what lies in the folder of the requests. */
    boolean mayLookIn() {
        return standing instanceof Standing.Member;
    }

    private static Decision ofStranger(Scope scope) {
        return switch (scope) {
            case SCOPE_AUTHENTICATED -> Decision.SERVED;
            case SCOPE_INSTANCE -> Decision.REFUSED;
            default -> Decision.HIDDEN;
        };
    }

    private static Decision ofNeighbor(Rule rule, Role role) {
        return switch (rule.getScope()) {
            case SCOPE_AUTHENTICATED -> Decision.SERVED;
            case SCOPE_ANY_FOLDER -> isAtLeast(role, rule) ? Decision.SERVED : Decision.REFUSED;
            default -> Decision.REFUSED;
        };
    }

    private static Decision ofMember(Rule rule, Role role) {
        if (rule.getScope() == Scope.SCOPE_AUTHENTICATED) {
            return Decision.SERVED;
        }
        if (!isAtLeast(role, rule)) {
            return Decision.REFUSED;
        }
        return rule.getRole() == Role.ROLE_VIEWER ? Decision.GRANTED : Decision.SERVED;
    }

    private static boolean isAtLeast(Role role, Rule rule) {
        return role.compareTo(rule.getRole()) >= 0;
    }
}
