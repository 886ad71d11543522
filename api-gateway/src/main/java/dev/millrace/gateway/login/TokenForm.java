package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;

/** The page on which people log in by pasting a token. */
final class TokenForm {

    private TokenForm() {}

    /** @param failure why the last token was refused; empty at first */
    static HttpResponse page(HttpStatus status, String returnTo, String failure) {
        var shown = failure.isEmpty() ? "" : "<p class=\"failure\">" + Page.escape(failure) + "</p>\n";
        var content = """
            %2$s<p>Paste a token of yours. <code>millrace tokens create</code> makes one, and an owner of the installation
              can make one for you.</p>
            <form method="post" action="login">
              <input type="hidden" name="return_to" value="%1$s">
              <label for="token">Token</label>
              <input id="token" name="token" type="password" autocomplete="off" required autofocus>
              <button>Log in</button>
            </form>""".formatted(Page.escape(returnTo), shown);
        return Page.of(status, "Log in by a token", content);
    }
}
