import dev.millrace.client.MillraceClient;
import dev.millrace.client.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** As src/test/python/submit_many.py, for Java. */
public final class SubmitMany {
    private SubmitMany() {}

    public static void main(String[] arguments) throws IOException {
        try (MillraceClient client = MillraceClient.connect();
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int number = Integer.parseInt(line);
                client.submit(Target.handler("tests.nobody"), Map.of("number", number));
                System.out.println(number);
            }
        }
    }
}
