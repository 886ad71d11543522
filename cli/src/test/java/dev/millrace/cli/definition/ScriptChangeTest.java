package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.client.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptChangeTest {
    @Test
    void showsLinesFilesAndSchemas() {
        assertThat(describe("""
                {"script": {"path": "a.py", "hash": "2", "language": "python", "content": "import b\\ndef main():\\n    return 2\\n",
                   "files": [{"path": "b.py", "content": "x = 1\\n"}]},
                 "current": {"path": "a.py", "hash": "1", "language": "bun", "content": "import b\\ndef main():\\n    return 1\\n",
                   "files": [{"path": "c.py", "content": "y = 1\\n"}], "input_schema": {}, "input_schema_origin": "author"}}
                """))
                .containsExactly(
                        "--- a.py as it is deployed",
                        "+++ a.py",
                        "@@ -1,3 +1,3 @@",
                        " import b",
                        " def main():",
                        "-    return 1",
                        "+    return 2",
                        "--- /dev/null",
                        "+++ b.py",
                        "@@ -0,0 +1,1 @@",
                        "+x = 1",
                        "The file c.py would no longer belong to the script a.py.",
                        "The language of the script a.py would be python in place of bun.",
                        "The schema of the inputs of the script a.py would be removed: give it again with --schema, or let a"
                                + " worker read the signature.");
    }

    @Test
    void saysThatAScriptIsNewOrTheSame() {
        String same = "\"path\": \"a.py\", \"hash\": \"1\", \"content\": \"x\"";
        assertThat(describe("{\"script\": {" + same + "}}")).containsExactly("The script a.py would be new.");
        assertThat(describe("{\"script\": {" + same + "}, \"current\": {" + same
                        + ", \"input_schema\": {}, \"input_schema_origin\": \"signature\"}}"))
                .containsExactly("Nothing would change: the script a.py is deployed like this.");
        assertThat(describe("{\"script\": {" + same + ", \"input_schema\": {\"a\": 1}}, \"current\": {" + same + "}}"))
                .containsExactly("The schema of the inputs of the script a.py would change.");
    }

    private static List<String> describe(String plan) {
        return new ScriptChange(Json.parse(plan).orElseThrow()).describe();
    }
}
