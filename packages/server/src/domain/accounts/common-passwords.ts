/** Those that are tried first, in lower case; a final row of digits and signs is looked at apart. */
const COMMON: ReadonlySet<string> = new Set(
  `
    101010 10101010 102030 10203040 112233 11223344 1122334455 121212 12121212 123123 123123123 123321 12344321
    1234554321 123456654321 123456789a 12345678a 123456a 123456aa 1234qwer 123654 123654789 123qwe 123qweasd
    12qwaszx 131313 1314520 13145200 147258369 159357 159753 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 20202020
    456789123 5201314 52013140 520520 741852963 789456123 87654321 987654321 9876543210 a123456 a1234567 a12345678
    a123456789 a1b2c3d4 aa123456 aaaaaaaa abababab abc123 abc12345 abcd1234 admin123 adminadmin administrator
    alexander alexandra andrew123 android1 angel123 angels12 anthony1 arsenal1 asd123456 asdf1234 asdfasdf asdfghj1
    asdfghjk asdfghjkl ashley ashley123 autumn2024 autumn2025 autumn2026 azerty123 azertyuiop babygirl baobao123
    barcelona baseball baseball1 basketball batman batman123 beatles1 beijing1 benjamin blessed1 blink182 butterfly
    champion changeit changeme changeme1 charlie1 chelsea1 china123 chocolate christian christopher company1
    company123 computer computer1 contrasena corvette cowboys1 cristiano cupcake daniel123 default dolphins dragon
    dragon123 elizabeth eminem123 enterprise facebook facebook1 faith123 february ferrari1 flower123 football
    football1 friday13 friends1 gandalf1 gangster godisgood google google12 google123 greenday guest123 harrypotter
    heaven123 hello123 helloworld hockey12 hogwarts hunter12 iloveu iloveyou iloveyou1 iloveyou2 internet internet1
    iphone12 january1 jennifer jessica jessica1 jesus123 jesuschrist jonathan jordan23 joshua123 juventus killer123
    lakers24 letmein letmein1 letmein123 lihua123 linkedin linkedin1 liverpool lkjhgfdsa login123 lovelove loveme123
    loveyou1 madison1 manchester master master123 matthew1 mercedes messenger messenger1 messi123 metallica
    metallica1 michael michael1 michelle microsoft mima1234 mima123456 mnbvcxz1 monday123 monkey monkey123
    motdepasse mustang1 mypassword newpassword nicholas nihao123 nihaoma1 ninja123 nirvana1 office123 p@ssw0rd
    p@ssword pa55w0rd pa55word pass1234 pass12345 passpass passw0rd password password1 password12 password123
    password1234 passwords passwort patriots poiuytrewq pokemon pokemon123 porsche1 portico1 portico123
    porticoportico princess princess1 q123456789 q1w2e3r4 qazwsx qazwsxedc qwaszx12 qwe123 qweasdzxc qwer1234 qwerty
    qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyu1 qwertyui qwertyuiop realmadrid redskins robert123 rockstar
    ronaldo7 root1234 rootroot samantha samsung samsung1 samsung123 secret secret123 shadow123 shanghai slipknot
    soccer123 spiderman spiderman1 spring2024 spring2025 spring2026 starwars starwars1 steelers stephanie summer2024
    summer2025 summer2026 sunshine sunshine1 superman superman1 temp1234 test1234 test12345 testing1 testtest
    thomas123 tiancai1 toor1234 topsecret trinity1 trustno1 twitter1 victoria wangwei1 welcome welcome1 welcome123
    whatever whatever1 windows1 windows10 winter2024 winter2025 winter2026 woaini woaini1314 woaini520 woaiwojia
    woaizhongguo wodemima woshishui xiaoming yankees1 yourpassword youtube1 zaq12wsx zaq1zaq1 zhangwei zhongguo
    zxc123456 zxcvbnm zxcvbnm1 zxcvbnm123
  `
    .trim()
    .split(/\s+/),
);

/** Rows of keys and letters, whose parts are no passwords either. */
const ROWS = [
  "0123456789012345678901234567890",
  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
];
const ALL_ROWS = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(""))];

/**
 * Whether a password is one of those that guessers try first: of a list, also with digits and signs at its end, a part of
 * a row of keys, or a few characters again and again.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  const stem = lower.replace(/[\d\p{P}\p{S}]{1,4}$/u, "");
  return (
    COMMON.has(lower) ||
    COMMON.has(stem) ||
    ALL_ROWS.some((row) => row.includes(lower)) ||
    /^(.{1,4}?)\1+.{0,3}$/su.test(lower)
  );
}
