package dev.millrace.scheduler.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import dev.millrace.scheduler.version.DeploymentNote;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ScriptStoreTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();

    private static final DeploymentNote NOTE = new DeploymentNote("ada", "");

    private final Scripts scripts = new Scripts(new ScriptStore(DATABASE), () -> {});

    @Test
    void keepsEveryVersionAndTheCurrentOne() {
        Script first = scripts.deploy(
                Workspace.of("versions"),
                "a.py",
                new ScriptSource(Language.PYTHON, "def main(): return 1"),
                Optional.empty(),
                NOTE);
        Script second = scripts.deploy(
                Workspace.of("versions"),
                "a.py",
                new ScriptSource(Language.PYTHON, "def main(): return 2"),
                Optional.empty(),
                NOTE);

        assertThat(scripts.findCurrent(Workspace.of("versions"), "a.py")).contains(second);
        assertThat(scripts.find(Workspace.of("versions"), first.hash()).map(Script::content))
                .contains("def main(): return 1");
        assertThat(scripts.find(Workspace.of("versions"), first.hash()).map(Script::path))
                .contains("a.py");
        assertThat(scripts.find(Workspace.of("versions"), second.hash()).map(Script::path))
                .contains("a.py");
    }

    @Test
    void changesNothingWhereTheSameContentIsDeployedAgain() {
        Script first = scripts.deploy(
                Workspace.of("again"), "a.py", new ScriptSource(Language.PYTHON, "same"), Optional.empty(), NOTE);

        assertThat(scripts.deploy(
                        Workspace.of("again"),
                        "a.py",
                        new ScriptSource(Language.PYTHON, "same"),
                        Optional.empty(),
                        NOTE))
                .isEqualTo(first);
    }

    @Test
    void keepsLanguagesThatItDoesNotKnow() {
        Language awk = new Language("awk");
        Workspace workspace = Workspace.of("open");
        String hash = scripts.deploy(workspace, "a.awk", new ScriptSource(awk, "1"), Optional.empty(), NOTE)
                .hash();

        assertThat(scripts.find(workspace, hash).map(Script::language)).contains(awk);
        assertThat(scripts.findCurrentWithoutContent(workspace, "a.awk").map(Script::target))
                .hasValueSatisfying(target -> assertThat(target.defaultTag()).isEqualTo("awk"));
        assertThat(scripts.list(workspace, Optional.empty(), "", 9))
                .extracting(Script::language)
                .containsExactly(awk);
    }

    @Test
    void tellsLanguagesApart() {
        String python = scripts.store(Workspace.of("again"), "one.py", new ScriptSource(Language.PYTHON, "1"))
                .hash();
        String deno = scripts.store(Workspace.of("again"), "one.ts", new ScriptSource(Language.DENO, "1"))
                .hash();

        assertThat(python).isNotEqualTo(deno);
        assertThat(scripts.findCached(Workspace.of("again"), deno).map(Script::language))
                .contains(Language.DENO);
        assertThat(scripts.findCached(Workspace.of("again"), "0".repeat(64))).isEmpty();
    }

    @Test
    void storesAVersionWithoutChangingWhatItsPathLeadsTo() {
        Script deployed = scripts.deploy(
                Workspace.of("store"), "a.py", new ScriptSource(Language.PYTHON, "deployed"), Optional.empty(), NOTE);

        Script stored = scripts.store(Workspace.of("store"), "a.py", new ScriptSource(Language.PYTHON, "stored"));
        scripts.store(Workspace.of("store"), "new.py", new ScriptSource(Language.PYTHON, "new"));

        assertThat(scripts.findCurrent(Workspace.of("store"), "a.py")).contains(deployed);
        assertThat(scripts.findCurrent(Workspace.of("store"), "new.py")).isEmpty();
        assertThat(scripts.list(Workspace.of("store"), Optional.empty(), "", 10))
                .extracting(Script::hash)
                .containsExactly(deployed.hash());
        assertThat(scripts.find(Workspace.of("store"), stored.hash())).contains(stored);
    }

    @Test
    void namesAVersionByThePathUnderWhichItWasStoredLast() {
        Script first = scripts.store(Workspace.of("name"), "first/a.py", new ScriptSource(Language.PYTHON, "same"));
        assertThat(scripts.findCached(Workspace.of("name"), first.hash()).map(Script::path))
                .contains("first/a.py");

        scripts.store(Workspace.of("name"), "second/a.py", new ScriptSource(Language.PYTHON, "same"));

        assertThat(scripts.findCached(Workspace.of("name"), first.hash()).map(Script::path))
                .contains("second/a.py");
        assertThat(scripts.find(Workspace.of("name"), first.hash()).map(Script::path))
                .contains("second/a.py");
    }

    @Test
    void listsByPathWithinAWorkspace() {
        scripts.deploy(Workspace.of("list"), "b.ts", new ScriptSource(Language.DENO, "b"), Optional.empty(), NOTE);
        scripts.deploy(Workspace.of("list"), "a.py", new ScriptSource(Language.PYTHON, "a"), Optional.empty(), NOTE);
        scripts.deploy(Workspace.of("other"), "c.py", new ScriptSource(Language.PYTHON, "c"), Optional.empty(), NOTE);

        assertThat(scripts.list(Workspace.of("list"), Optional.empty(), "", 10))
                .extracting(Script::path)
                .containsExactly("a.py", "b.ts");
        assertThat(scripts.list(Workspace.of("list"), Optional.empty(), "a.py", 10))
                .extracting(Script::content)
                .containsExactly("");
        assertThat(scripts.list(Workspace.of("list"), Optional.empty(), "", 1)).hasSize(1);
    }
}
