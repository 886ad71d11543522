package dev.millrace.text.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MissingModuleTest {
    @Test
    void aFolderOfTheScriptHidesThePackageOfItsName() {
        assertThat(of("import redis.asyncio\nfrom redis import x\n", Map.of("redis/__init__.py", "")))
                .containsExactly(new MissingModule("etl.py", 1, "redis.asyncio", "redis/"));
        assertThat(of("x = 1\nfrom redis.asyncio import Redis\n", Map.of("redis.py", "x = 1")))
                .containsExactly(new MissingModule("etl.py", 2, "redis.asyncio", "redis.py"))
                .first()
                .extracting(MissingModule::sentence)
                .isEqualTo(
                        "No file has the module redis.asyncio, although redis.py belongs to the script: a package redis"
                                + " of an index is not installed beside it. Correct the import, or rename redis.py if the package"
                                + " is meant.");
    }

    @Test
    void filesOfAScriptAreLookedThroughToo() {
        assertThat(MissingModule.of(
                        "a/etl.py", "import helper", Map.of("a/helper.py", "import lib.io", "lib/other.py", "")))
                .containsExactly(new MissingModule("a/helper.py", 1, "lib.io", "lib/"));
    }

    @Test
    void aModuleThatIsThereIsNotMissing() {
        Map<String, String> files = Map.of("shop/text/__init__.py", "", "shop/prices.py", "", "shop/deep/er/x.py", "");

        assertThat(of("import shop.text\nfrom shop.prices import a\nimport shop.deep.er", files))
                .isEmpty();
    }

    @Test
    void packagesOfAnIndexAndOfPythonAreNotMissing() {
        assertThat(of("import google.cloud.storage\nimport os.path\nimport redis", Map.of("redis/__init__.py", "")))
                .isEmpty();
    }

    @Test
    void aFileThatImportsThePackageOfItsNameHidesNothing() {
        assertThat(of("import slack.web", Map.of("slack.py", "import slack"))).isEmpty();
    }

    @Test
    void whatMayFailIsNotMissing() {
        assertThat(of("try:\n    import redis.asyncio\nexcept ImportError:\n    pass", Map.of("redis/__init__.py", "")))
                .isEmpty();
    }

    private static List<MissingModule> of(String content, Map<String, String> files) {
        return MissingModule.of("etl.py", content, files);
    }
}
