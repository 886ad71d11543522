package dev.millrace.scheduler.access;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a caller may do: the roles of its principal, cut by the restrictions of its credential. Where several roles
 * apply, the highest counts.
 *
 * @param isOwner whether the principal owns the installation
 * @param roles roles by workspace and folder; the folder {@link Folder#NONE} stands for the whole workspace
 */
public record Rights(boolean isOwner, Map<Workspace, Map<String, Role>> roles, Restriction restriction) {
    public static final Rights NONE = new Rights(false, Map.of(), Restriction.NONE);
    public static final Rights OF_OWNER = new Rights(true, Map.of(), Restriction.NONE);

    public Rights {
        roles = Map.copyOf(roles);
        requireNonNull(restriction, "restriction");
    }

    /** A role of a principal in one place. */
    public record Binding(Workspace workspace, String folder, Role role) {}

    /** Rights of a principal with these roles. */
    public static Rights of(boolean isOwner, Collection<Binding> bindings, Restriction restriction) {
        Map<Workspace, Map<String, Role>> roles = new HashMap<>();
        bindings.forEach(binding -> roles.computeIfAbsent(binding.workspace(), _ -> new HashMap<>())
                .merge(binding.folder(), binding.role(), Role::or));
        roles.replaceAll((_, folders) -> Map.copyOf(folders));
        return new Rights(isOwner, roles, restriction);
    }

    /** These rights in a single workspace, at most with a role. */
    public Rights cut(Workspace workspace, Role most) {
        if (!restriction.workspaces().isEmpty() && !restriction.workspaces().contains(workspace)) {
            return NONE;
        }
        Role roleMax = restriction.roleMax().map(role -> role.cutBy(most)).orElse(most);
        return new Rights(
                isOwner, roles, new Restriction(Set.of(workspace), restriction.folders(), Optional.of(roleMax)));
    }

    /** Number of roles, by which memory for rights is limited. */
    public int size() {
        return roles.values().stream().mapToInt(Map::size).sum();
    }

    /** Whether the caller has the role in the installation, and not only in some workspaces or folders. */
    public boolean allowsInstance(Role least) {
        return isOwner
                && restriction.isWholeInstallation()
                && restriction.cut(Role.OWNER).includes(least);
    }

    /** Whether the caller has the role in the whole workspace. */
    public boolean allows(Role least, Workspace workspace) {
        return restriction.folders().isEmpty() && allows(least, workspace, Folder.NONE);
    }

    /** Whether the caller has the role in this folder. */
    public boolean allows(Role least, Workspace workspace, String folder) {
        return roleIn(workspace, folder).filter(role -> role.includes(least)).isPresent();
    }

    /** Whether the caller has the role in the workspace or in one of its folders. */
    public boolean allowsAnyFolder(Role least, Workspace workspace) {
        return allows(least, workspace) || !folders(least, workspace).isEmpty();
    }

    /**
     * The folders in which the caller has the role. It is meant for callers who do not have it in the whole workspace.
     */
    public Set<String> folders(Role least, Workspace workspace) {
        Set<String> candidates = new TreeSet<>(restriction.folders());
        candidates.addAll(roles.getOrDefault(workspace, Map.of()).keySet());
        candidates.removeIf(folder -> !allows(least, workspace, folder));
        return candidates;
    }

    private Optional<Role> roleIn(Workspace workspace, String folder) {
        if (!restriction.covers(workspace, folder)) {
            return Optional.empty();
        }
        if (isOwner) {
            return Optional.of(restriction.cut(Role.OWNER));
        }
        Map<String, Role> folders = roles.getOrDefault(workspace, Map.of());
        Role whole = folders.get(Folder.NONE);
        Role here = folders.get(folder);
        Role highest = whole == null ? here : here == null ? whole : whole.or(here);
        return Optional.ofNullable(highest).map(restriction::cut);
    }

    /**
     * Restrictions of a credential. What is empty does not restrict.
     *
     * @param workspaces only these workspaces
     * @param folders only these folders of them
     * @param roleMax only this role or a lower one
     */
    public record Restriction(Set<Workspace> workspaces, Set<String> folders, Optional<Role> roleMax) {
        public static final Restriction NONE = new Restriction(Set.of(), Set.of(), Optional.empty());

        public Restriction {
            workspaces = Set.copyOf(workspaces);
            folders = Set.copyOf(folders);
            requireNonNull(roleMax, "roleMax");
        }

        private boolean isWholeInstallation() {
            return workspaces.isEmpty() && folders.isEmpty();
        }

        private boolean covers(Workspace workspace, String folder) {
            return (workspaces.isEmpty() || workspaces.contains(workspace))
                    && (folders.isEmpty() || folders.contains(folder));
        }

        private Role cut(Role role) {
            return roleMax.map(role::cutBy).orElse(role);
        }
    }
}
