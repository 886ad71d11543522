package dev.millrace.scheduler.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a caller may do in a workspace or in one of its folders. Each role includes the roles before it. */
public enum Role {
    /** Sees runs, logs, flows and scripts. */
    VIEWER,
    /** Starts runs of what is deployed, and changes the course of runs. */
    RUNNER,
    /** Deploys, runs versions that are not deployed, and writes secrets and resources. */
    DEVELOPER,
    /** Decides who may do what in a workspace. */
    ADMIN,
    /** Owns the installation. */
    OWNER;

    private static final Role[] ALL = values();

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** The lower of two roles. */
    public Role cutBy(Role max) {
        return includes(max) ? max : this;
    }

    /** The higher of two roles. */
    Role or(Role other) {
        return includes(other) ? this : other;
    }

    /** The name in tables and messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role with this {@link #text}; empty if there is none. */
    public static Optional<Role> of(String text) {
        return Arrays.stream(ALL).filter(role -> role.text().equals(text)).findFirst();
    }

    /** The role of a message; empty if it is unspecified or unknown. */
    public static Optional<Role> of(dev.millrace.proto.access.v1.Role role) {
        return switch (role) {
            case ROLE_VIEWER -> Optional.of(VIEWER);
            case ROLE_RUNNER -> Optional.of(RUNNER);
            case ROLE_DEVELOPER -> Optional.of(DEVELOPER);
            case ROLE_ADMIN -> Optional.of(ADMIN);
            case ROLE_OWNER -> Optional.of(OWNER);
            case ROLE_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    /** The role as a message. */
    public dev.millrace.proto.access.v1.Role message() {
        return switch (this) {
            case VIEWER -> dev.millrace.proto.access.v1.Role.ROLE_VIEWER;
            case RUNNER -> dev.millrace.proto.access.v1.Role.ROLE_RUNNER;
            case DEVELOPER -> dev.millrace.proto.access.v1.Role.ROLE_DEVELOPER;
            case ADMIN -> dev.millrace.proto.access.v1.Role.ROLE_ADMIN;
            case OWNER -> dev.millrace.proto.access.v1.Role.ROLE_OWNER;
        };
    }
}
