package examples.contacts;

/** Somebody to call; either name may be missing (null). */
public final class Contact {

    private final String givenName;
    private final String familyName;

    public Contact(String givenName, String familyName) {
        if (givenName == null && familyName == null) {
            throw new IllegalArgumentException("a contact needs a name");
        }
        this.givenName = givenName;
        this.familyName = familyName;
    }

    public String givenName() {
        return givenName;
    }

    public String familyName() {
        return familyName;
    }

    @Override
    public String toString() {
        if (givenName == null) {
            return familyName;
        }
        return familyName == null ? givenName : givenName + " " + familyName;
    }
}
