package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where packages for Bun may come from. */
class BunLockTest {
    private static SetLock lock(String chosen) {
        return new SetLock("{\"packages\": {\"ms\": [\"" + chosen + "\", \"\", {}, \"sha512-x\"],}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ms@2.1.3", "@scope/ms@1.0.0-rc.1+build"})
    void takesVersionsOfTheRegistry(String chosen) {
        assertThatCode(() -> BunLock.check(lock(chosen))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ms@file:../../etc",
                "ms@link:../x",
                "ms@workspace:x",
                "ms@root:",
                "ms@github:a/b#c",
                "ms@git+ssh://git@example.com/a.git#c",
                "ms@http://169.254.169.254/a.tgz",
                "ms@https://example.com/a.tgz",
                "ms@./a.tgz",
                "ms"
            })
    void refusesFilesRepositoriesAndAddresses(String chosen) {
        assertThatThrownBy(() -> BunLock.check(lock(chosen)))
                .isInstanceOf(PackageException.class)
                .hasMessageContaining("registry of npm");
    }

    @Test
    void takesTheProjectOfAnExportedLock() {
        assertThatCode(() -> BunLock.checkProject(
                        "{\"dependencies\": {\"ms\": \"^2\", \"s\": \"npm:@a/b@>=1 <2\", \"t\": \"latest\"}}"))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"dependencies\": {\"ms\": \"file:../../etc\"}}",
                "{\"dependencies\": {\"ms\": \"git+ssh://example.com/a\"}}",
                "{\"devDependencies\": {\"ms\": \"a/b\"}}",
                "{\"overrides\": {\"ms\": \"http://10.0.0.1/a.tgz\"}}",
                "{\"overrides\": {\"ms\": {\"x\": \"file:x\"}}}",
                "{\"workspaces\": [\"../*\"]}",
                "{\"patchedDependencies\": {\"ms\": \"../x\"}}",
                "{\"scripts\": {\"postinstall\": \"x\"}}",
                "{\"trustedDependencies\": [\"ms\"]}"
            })
    void refusesProjectsThatAskForMore(String project) {
        assertThatThrownBy(() -> BunLock.checkProject(project)).isInstanceOf(PackageException.class);
    }
}
