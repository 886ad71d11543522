package dev.millrace.scheduler.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightsTest {
    private static final List<Workspace> WORKSPACES = List.of(Workspace.of("acme"), Workspace.of("beta"));
    private static final List<String> FOLDERS = List.of(Folder.NONE, "shop", "ops");

    @ParameterizedTest
    @CsvSource({
        "VIEWER, VIEWER, true",
        "VIEWER, RUNNER, false",
        "RUNNER, VIEWER, true",
        "DEVELOPER, RUNNER, true",
        "ADMIN, DEVELOPER, true",
        "ADMIN, OWNER, false",
        "OWNER, ADMIN, true"
    })
    void rolesIncludeTheLowerOnes(Role role, Role least, boolean expected) {
        assertThat(role.includes(least)).isEqualTo(expected);
    }

    @Test
    void whoHasARoleInAFolderHasNoneElsewhere() {
        Rights rights = Rights.of(false, List.of(binding("acme", "shop", Role.RUNNER)), Rights.Restriction.NONE);

        assertThat(rights.allows(Role.RUNNER, Workspace.of("acme"), "shop")).isTrue();
        assertThat(rights.allows(Role.RUNNER, Workspace.of("acme"), "ops")).isFalse();
        assertThat(rights.allows(Role.RUNNER, Workspace.of("acme"), Folder.NONE))
                .isFalse();
        assertThat(rights.allows(Role.RUNNER, Workspace.of("acme"))).isFalse();
        assertThat(rights.allowsAnyFolder(Role.RUNNER, Workspace.of("acme"))).isTrue();
        assertThat(rights.allowsAnyFolder(Role.RUNNER, Workspace.of("beta"))).isFalse();
        assertThat(rights.allowsInstance(Role.VIEWER)).isFalse();
    }

    @Test
    void anOwnerWithARestrictedTokenOwnsNothing() {
        Rights rights = new Rights(
                true, Map.of(), new Rights.Restriction(Set.of(Workspace.of("acme")), Set.of(), Optional.empty()));

        assertThat(rights.allowsInstance(Role.OWNER)).isFalse();
        assertThat(rights.allows(Role.ADMIN, Workspace.of("acme"))).isTrue();
        assertThat(rights.allows(Role.VIEWER, Workspace.of("beta"))).isFalse();
    }

    /** Compares with a reading of the rule word by word: the highest role that applies, cut by the restrictions. */
    @Test
    void agreesWithTheRuleForRandomBindings() {
        Random random = new Random(20261124);
        for (int round = 0; round < 20_000; round++) {
            List<Rights.Binding> bindings = bindings(random);
            Rights.Restriction restriction = restriction(random);
            boolean isOwner = random.nextInt(10) == 0;
            Rights rights = Rights.of(isOwner, bindings, restriction);
            for (Workspace workspace : WORKSPACES) {
                for (String folder : FOLDERS) {
                    for (Role least : Role.values()) {
                        assertThat(rights.allows(least, workspace, folder))
                                .as("%s in %s/%s by %s", least, workspace, folder, rights)
                                .isEqualTo(naive(isOwner, bindings, restriction, workspace, folder)
                                        .filter(role -> role.compareTo(least) >= 0)
                                        .isPresent());
                    }
                }
                assertThat(rights.folders(Role.VIEWER, workspace))
                        .allSatisfy(folder -> assertThat(rights.allows(Role.VIEWER, workspace, folder))
                                .isTrue());
            }
        }
    }

    private static Optional<Role> naive(
            boolean isOwner,
            List<Rights.Binding> bindings,
            Rights.Restriction restriction,
            Workspace workspace,
            String folder) {
        boolean isCovered = (restriction.workspaces().isEmpty()
                        || restriction.workspaces().contains(workspace))
                && (restriction.folders().isEmpty() || restriction.folders().contains(folder));
        Optional<Role> highest = isOwner
                ? Optional.of(Role.OWNER)
                : bindings.stream()
                        .filter(binding -> binding.workspace().equals(workspace))
                        .filter(binding ->
                                binding.folder().isEmpty() || binding.folder().equals(folder))
                        .map(Rights.Binding::role)
                        .max(Role::compareTo);
        return highest.filter(_ -> isCovered)
                .map(role -> restriction
                        .roleMax()
                        .filter(max -> max.compareTo(role) < 0)
                        .orElse(role));
    }

    private static List<Rights.Binding> bindings(Random random) {
        List<Rights.Binding> bindings = new ArrayList<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            bindings.add(new Rights.Binding(
                    WORKSPACES.get(random.nextInt(2)), FOLDERS.get(random.nextInt(3)), role(random)));
        }
        return bindings;
    }

    private static Rights.Restriction restriction(Random random) {
        return new Rights.Restriction(
                WORKSPACES.stream().filter(_ -> random.nextInt(4) == 0).collect(Collectors.toSet()),
                FOLDERS.stream()
                        .filter(folder -> !folder.isEmpty() && random.nextInt(4) == 0)
                        .collect(Collectors.toSet()),
                random.nextInt(3) == 0 ? Optional.of(role(random)) : Optional.empty());
    }

    private static Role role(Random random) {
        return List.of(Role.values()).get(random.nextInt(Role.values().length));
    }

    private static Rights.Binding binding(String workspace, String folder, Role role) {
        return new Rights.Binding(Workspace.of(workspace), folder, role);
    }
}
