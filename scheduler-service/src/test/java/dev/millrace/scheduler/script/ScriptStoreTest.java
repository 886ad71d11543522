package dev.millrace.scheduler.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.testing.MigratedDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ScriptStoreTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();

    private final Scripts scripts = new Scripts(new ScriptStore(DATABASE));

    @Test
    void keepsEveryVersionAndTheCurrentOne() {
        Script first = scripts.deploy("versions", "a.py", Language.PYTHON, "def main(): return 1");
        Script second = scripts.deploy("versions", "a.py", Language.PYTHON, "def main(): return 2");

        assertThat(scripts.findCurrent("versions", "a.py")).contains(second);
        assertThat(scripts.find("versions", first.hash()).map(Script::content)).contains("def main(): return 1");
        assertThat(scripts.find("versions", first.hash()).map(Script::path)).contains("a.py");
        assertThat(scripts.find("versions", second.hash()).map(Script::path)).contains("a.py");
    }

    @Test
    void changesNothingWhereTheSameContentIsDeployedAgain() {
        Script first = scripts.deploy("again", "a.py", Language.PYTHON, "same");

        assertThat(scripts.deploy("again", "a.py", Language.PYTHON, "same")).isEqualTo(first);
    }

    @Test
    void tellsLanguagesApart() {
        String python = scripts.store("again", "one.py", Language.PYTHON, "1").hash();
        String deno = scripts.store("again", "one.ts", Language.DENO, "1").hash();

        assertThat(python).isNotEqualTo(deno);
        assertThat(scripts.findCached("again", deno).map(Script::language)).contains(Language.DENO);
        assertThat(scripts.findCached("again", "0".repeat(64))).isEmpty();
    }

    @Test
    void storesAVersionWithoutChangingWhatItsPathLeadsTo() {
        Script deployed = scripts.deploy("store", "a.py", Language.PYTHON, "deployed");

        Script stored = scripts.store("store", "a.py", Language.PYTHON, "stored");
        scripts.store("store", "new.py", Language.PYTHON, "new");

        assertThat(scripts.findCurrent("store", "a.py")).contains(deployed);
        assertThat(scripts.findCurrent("store", "new.py")).isEmpty();
        assertThat(scripts.list("store", "", 10)).extracting(Script::hash).containsExactly(deployed.hash());
        assertThat(scripts.find("store", stored.hash())).contains(stored);
    }

    @Test
    void namesAVersionByThePathUnderWhichItWasStoredLast() {
        Script first = scripts.store("name", "first.py", Language.PYTHON, "same");
        assertThat(scripts.findCached("name", first.hash()).map(Script::path)).contains("first.py");

        scripts.store("name", "second.py", Language.PYTHON, "same");

        assertThat(scripts.findCached("name", first.hash()).map(Script::path)).contains("second.py");
        assertThat(scripts.find("name", first.hash()).map(Script::path)).contains("second.py");
    }

    @Test
    void listsByPathWithinAWorkspace() {
        scripts.deploy("list", "b.ts", Language.DENO, "b");
        scripts.deploy("list", "a.py", Language.PYTHON, "a");
        scripts.deploy("other", "c.py", Language.PYTHON, "c");

        assertThat(scripts.list("list", "", 10)).extracting(Script::path).containsExactly("a.py", "b.ts");
        assertThat(scripts.list("list", "a.py", 10)).extracting(Script::content).containsExactly("");
        assertThat(scripts.list("list", "", 1)).hasSize(1);
    }
}
