package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.config.SmtpConfig;
import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/** Sends mails over the SMTP server that the operator has set. Thread-safe; each mail has a connection of its own. */
final class MailSender {
    private static final String WAIT_MAX_MILLIS = "10000";
    private static final String UTF_8 = "UTF-8";

    private final SmtpConfig config;

    MailSender(SmtpConfig config) {
        this.config = config;
    }

    /** @param id the mail has the same Message-ID in each attempt, so that mailboxes recognize a repeated one */
    Attempt send(List<String> recipients, String subject, String text, UUID id) {
        try {
            MimeMessage mail = new Identified(session(), "<" + id + "@millrace>");
            mail.setFrom(new InternetAddress(config.from()));
            for (String recipient : recipients) {
                mail.addRecipient(Message.RecipientType.TO, new InternetAddress(recipient, true));
            }
            mail.setSubject(subject, UTF_8);
            mail.setText(text, UTF_8);
            mail.saveChanges();
            Transport.send(mail);
            return new Attempt.Taken(Optional.empty());
        } catch (AddressException wrong) {
            return new Attempt.Failed(
                    Optional.empty(), "An address is not valid: " + wrong.getMessage(), Optional.empty(), true);
        } catch (SendFailedException refused) {
            return failed("The mail server has refused the mail: " + refused.getMessage());
        } catch (MessagingException failure) {
            return failed("The mail server did not take the mail: " + failure.getMessage());
        }
    }

    private Session session() {
        Properties settings = new Properties();
        settings.put("mail.smtp.host", config.host());
        settings.put("mail.smtp.port", Integer.toString(config.port()));
        settings.put("mail.smtp.connectiontimeout", WAIT_MAX_MILLIS);
        settings.put("mail.smtp.timeout", WAIT_MAX_MILLIS);
        settings.put("mail.smtp.writetimeout", WAIT_MAX_MILLIS);
        settings.put("mail.smtp.ssl.enable", Boolean.toString(config.security() == SmtpConfig.Security.TLS));
        settings.put("mail.smtp.ssl.checkserveridentity", "true");
        boolean startTls = config.security() == SmtpConfig.Security.STARTTLS;
        settings.put("mail.smtp.starttls.enable", Boolean.toString(startTls));
        settings.put("mail.smtp.starttls.required", Boolean.toString(startTls));
        settings.put("mail.smtp.auth", Boolean.toString(config.user().isPresent()));
        return Session.getInstance(
                settings,
                config.user()
                        .map(user -> (Authenticator) new Login(user, config.password()))
                        .orElse(null));
    }

    private static Attempt failed(String error) {
        return new Attempt.Failed(Optional.empty(), error, Optional.empty(), false);
    }

    private static final class Login extends Authenticator {
        private final PasswordAuthentication login;

        Login(String user, String password) {
            this.login = new PasswordAuthentication(user, password);
        }

        @Override
        protected PasswordAuthentication getPasswordAuthentication() {
            return login;
        }
    }

    private static final class Identified extends MimeMessage {
        private final String id;

        Identified(Session session, String id) {
            super(session);
            this.id = id;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
        }
    }
}
